import { testHalf } from "#tests/campaigns/fuzz/half.ts";

testHalf("first");
