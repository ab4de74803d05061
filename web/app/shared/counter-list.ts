/** Under this name, and for this owner, the counter of a canteen keeps the day's list on the device. */
export const counterList = "counter";
/** And a till what it needs to charge without network, for its cashier. */
export const tillKitName = "till";
