import { roomsOf, testRooms } from "./rooms.ts";

testRooms(roomsOf.travel);
