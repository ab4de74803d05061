// What an illness changes on open screens.
import { api } from "#contract/api.ts";
import { readAgain } from "#web/app/answers.ts";

export const readIllnessAgain = () =>
  readAgain(
    api.canteen.illnesses,
    api.canteen.illnessPreview,
    api.canteen.orders,
    api.canteen.week,
    ...Object.values(api.wallet),
  );
