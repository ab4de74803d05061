// An act that was refused, or that got no answer: what happened, and that trying again is safe.
import type { ReactNode } from "react";
import { ApiProblem } from "#web/app/transport/api.ts";
import { Banner } from "#web/ui/banner.tsx";

/**
 * `title` for a refusal of the server, which did nothing; `unknown` where no answer came, with `again`
 * after « Vous pouvez réessayer sans crainte » (`retry` for other words): the call repeated under its key
 * acts once.
 */
export function RefusedBanner({
  problem,
  title,
  unknown,
  again,
  retry = "réessayer",
  tone = "danger",
  more,
  actions,
}: {
  problem: Error;
  title: string;
  unknown: string;
  again: string;
  retry?: string;
  tone?: "warning" | "danger";
  /** The details of the refusal, beside its message. */
  more?: ReactNode;
  actions?: ReactNode;
}) {
  if (problem instanceof ApiProblem && !problem.isUnknown) {
    return (
      <Banner tone={tone} alert title={title} actions={actions}>
        {problem.message} {more}
      </Banner>
    );
  }
  return (
    <Banner tone="warning" alert title={unknown}>
      La réponse n’est pas arrivée. Vous pouvez {retry} sans crainte&#8239;: {again}.
    </Banner>
  );
}
