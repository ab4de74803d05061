// The picture of a person: asked for with the token of the session, since it is for the family only.
import { useQuery } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import { bearerOf, problemOf } from "#web/app/transport/api.ts";

/** Drawn over the initials, which stay where it cannot be read. */
export function Photo({ address }: { address: string }) {
  const { data } = useQuery({
    queryKey: ["photo", address],
    queryFn: async ({ signal }) => {
      // The browser keeps it: another picture has another address.
      const answer = await fetch(address, { headers: bearerOf(api.avatars.read), signal });
      if (!answer.ok) throw await problemOf(answer);
      return URL.createObjectURL(await answer.blob());
    },
    staleTime: Infinity,
    gcTime: Infinity,
  });
  return data ? <img src={data} alt="" width={96} height={96} /> : null;
}
