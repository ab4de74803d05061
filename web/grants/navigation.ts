// Addresses of the screen of grants: a new one, one of them.
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";

export const grantPath = (id: string): string => linkTo(paths.grants, {}, { grant: id });
export const newGrantPath = linkTo(paths.grants, {}, { create: "1" });
