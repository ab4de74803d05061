// The transport services on which the card is enrolled by itself: fetched once for a session, then read
// from the sealed cache, by the list of services and by the transport screen alike (spec.md 12).
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { api } from "#contract/api.ts";
import { spec } from "#contract/limits.ts";
import type { TransportService } from "#contract/partners/rows.ts";
import { type ApiProblem, call } from "#web/app/transport/api.ts";
import { useProblemNotice } from "#web/app/transport/problem-notice.ts";
import { sealed } from "#web/app/transport/session.ts";
import { tokenEndsAt } from "#web/app/transport/token.ts";
import { useUser } from "#web/app/transport/use-observed.ts";

/** A failure is shown by the specification's notification; the screen offers to ask again. */
export function useTransport(): UseQueryResult<readonly TransportService[], ApiProblem> {
  const { objectID } = useUser();
  const answer = useQuery<readonly TransportService[], ApiProblem>({
    queryKey: [spec.transportKey, objectID],
    queryFn: ({ signal }) => readOrFetch(objectID, signal),
    staleTime: Infinity,
  });
  useProblemNotice(answer.error);
  return answer;
}

async function readOrFetch(
  owner: string,
  signal: AbortSignal,
): Promise<readonly TransportService[]> {
  const stored = await sealed.get(spec.transportKey, owner);
  if (Array.isArray(stored)) return stored as TransportService[];
  const { data } = await call(api.partners.autoAdhesion, { code: "true" }, { signal });
  // A browser that keeps nothing more still shows what came.
  await sealed
    .put(spec.transportKey, owner, data, tokenEndsAt() ?? Date.now())
    .catch(() => undefined);
  return data;
}
