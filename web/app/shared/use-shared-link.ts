// Arrival by a shared link: its secret stands in the fragment of the address, is sent, and leaves the
// address once the server has answered, so that a copied address does not carry it further.
import { useMutation } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import type { ApiProblem } from "#web/app/transport/api.ts";

type Open = (secret: string) => Promise<{ message: string }>;

/** Sends the secret of `#name=…` to `open`; gives what the server said, or why it refused. */
export function useSharedLink(name: string, open: Open) {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = useNavigate();
  const claim = useMutation<{ message: string }, ApiProblem, string>({
    mutationFn: open,
    // Without an answer the secret stays: a reload opens the link again, which changes nothing more.
    onSettled: (_opened, problem) => {
      if (problem && !problem.definite) return;
      const search = (before: Record<string, unknown>) => before;
      void navigate({ to: ".", search, hash: "", replace: true });
    },
  });
  const arrive = useEffectEvent(claim.mutate);
  useEffect(() => {
    if (hash.startsWith(`${name}=`)) arrive(hash.slice(name.length + 1));
  }, [hash, name]);
  return { message: claim.data?.message ?? null, problem: claim.error };
}
