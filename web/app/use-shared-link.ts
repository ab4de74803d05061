// Arrival by a shared link: its secret stands in the fragment of the address, is sent once, and leaves
// the address, so that a reload or a copied address does not carry it further.
import { useMutation } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import type { ApiProblem } from "./api.ts";

/** Sends the secret of `#name=…` to `open`; gives what the server said, or why it refused. */
export function useSharedLink(
  name: string,
  open: (secret: string) => Promise<{ message: string }>,
) {
  const hash = useLocation({ select: (location) => location.hash });
  const navigate = useNavigate();
  const claim = useMutation<{ message: string }, ApiProblem, string>({ mutationFn: open });
  const arrive = useEffectEvent((secret: string) => {
    void navigate({
      to: ".",
      search: (before: Record<string, unknown>) => before,
      hash: "",
      replace: true,
    });
    claim.mutate(secret);
  });
  useEffect(() => {
    if (hash.startsWith(`${name}=`)) arrive(hash.slice(name.length + 1));
  }, [hash, name]);
  return { message: claim.data?.message ?? null, problem: claim.error };
}
