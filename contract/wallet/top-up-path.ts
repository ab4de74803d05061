// The page of a wallet's top-up, which also shows the status of one.
import { linkTo } from "../link-to.ts";
import { paths } from "../paths.ts";
import type { SearchOf } from "../searches.ts";
import type { Wallet } from "./rows.ts";

/** The fields of a wallet that the path of its top-up contains. */
export type TopUpTarget = Pick<Wallet, "objectID" | "slug" | "idgroup">;

/** The path where a wallet is topped up. */
export const topUpPath = (
  { objectID, slug, idgroup }: TopUpTarget,
  search?: SearchOf<"topUp">,
): string => linkTo(paths.topUp, { objectID, name: slug, idgroup }, search);
