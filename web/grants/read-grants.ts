// Reads again what an act on a grant changes.
import { api } from "#contract/api.ts";
import { readAgain } from "#web/app/answers.ts";

export const readGrants = () =>
  readAgain(api.grants.list, api.grants.read, api.grants.byCard, api.wallet.publicServices);
