// The request on the screen and its changes. Every answer of the server is the whole page, so the screen
// shows what is kept.
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { api } from "#contract/api.ts";
import type { Input, Row } from "#contract/endpoint.ts";
import type { MembershipPage } from "#contract/memberships/rows.ts";
import type { MembershipPart } from "#contract/memberships/states.ts";
import { keyOf, queryClient } from "#web/app/transport/answers.ts";
import { type Answer, ApiProblem, call } from "#web/app/transport/api.ts";
import { noteChanges } from "#web/app/transport/changes.ts";
import { CodeAbandoned, type Proof } from "#web/app/transport/code-request.ts";
import { withCode } from "#web/app/transport/step-up.ts";
import { notify } from "#web/ui/toast.tsx";

/** Under which a part that is not sent yet is kept: what was typed on an older request is not. */
export const draftName = (part: MembershipPart, { service, membership }: MembershipPage): string =>
  `membership-${part} ${service.code} ${membership?.version ?? 0}`;

const keepPage = (page: MembershipPage): void => {
  const input = { service: page.service.code };
  queryClient.setQueryData(keyOf(api.memberships.read, input), page);
};

type PageRow = Row & { output: typeof api.memberships.read.output };

/** Refusals after which the screen shows what the request has become elsewhere. */
const outdated = new Set(["membership_changed", "membership_closed"]);

/**
 * A step: calls its row with the code that it may ask for, keeps the page that it answers. Where the
 * answer is lost, the request itself tells whether the step was done: its version has moved.
 */
export function useStep<R extends PageRow>(
  row: R,
  { onDone, onOutdated }: { onDone?: () => void; onOutdated?: (page: MembershipPage) => void } = {},
) {
  const isInDoubt = useRef(false);
  return useMutation<MembershipPage, ApiProblem | CodeAbandoned, Input<R>>({
    mutationFn: async (input) => {
      try {
        const page = await withCode(
          async (proof: Proof) =>
            (await call(row, { ...(input as object), ...proof } as Input<R>)) as Answer<R> &
              MembershipPage,
        );
        isInDoubt.current = false;
        return page;
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error;
        const mayBeOurs = isInDoubt.current && error.code === "membership_changed";
        isInDoubt.current ||= error.isUnknown;
        const page = (error.isUnknown || mayBeOurs) && (await readIfChanged(input));
        if (!page) throw error;
        noteChanges(row.changes ?? []);
        isInDoubt.current = false;
        return page;
      }
    },
    onSuccess: (page) => {
      keepPage(page);
      onDone?.();
    },
    onError: async (problem, input) => {
      if (problem instanceof CodeAbandoned || !outdated.has(problem.code)) return;
      const { service } = input as unknown as { service: string };
      const page = await call(api.memberships.read, { service }, { quiet: true });
      keepPage(page);
      if (problem.code === "membership_closed") notify({ text: problem.message, kind: "error" });
      onOutdated?.(page);
    },
  });
}

/** The request as it is kept, if it is no longer the one that `input` was sent for; null otherwise. */
async function readIfChanged(input: unknown): Promise<MembershipPage | null> {
  const { service, version } = input as { service: string; version: number };
  const page = await call(api.memberships.read, { service }, { quiet: true }).catch(() => null);
  return page && (page.membership?.version ?? 0) !== version ? page : null;
}

/** A dialog that was closed needs no words. */
export const refusalOf = (error: ApiProblem | CodeAbandoned | null): ApiProblem | null =>
  error instanceof CodeAbandoned ? null : error;
