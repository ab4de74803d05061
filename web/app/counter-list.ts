/** Under this name, and for this owner, the counter of a canteen keeps the day's list on the device. */
export const counterList = "counter";
