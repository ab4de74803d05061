import { api } from "#contract/api.ts";
import { useAnswer } from "#web/app/transport/answers.ts";

/** Whether passes of a line group are sold; taken for sold until it is known. */
export function usePassesOnSale(): (group: number) => boolean {
  const { data } = useAnswer(api.passes.groups, {});
  return (group) => !data || data.items.some(({ idgroup }) => idgroup === group);
}
