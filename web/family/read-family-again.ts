// What a change of the family changes on the screens.
import { api } from "#contract/api.ts";
import { readAgain } from "#web/app/answers.ts";

/** Everything that shows who is of the family. */
export const readFamilyAgain = () => readAgain(api.family.list, api.cards.list);
