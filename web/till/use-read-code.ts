// The code of a card that was read before the cashier charges it: a code changes each minute, an older one is
// forgotten.
import { useEffect, useState } from "react";
import { cards } from "#contract/limits.ts";

const codeLifetimeMs = cards.qrSeconds * 1000;

export function useReadCode() {
  const [read, setRead] = useState<{ code: string } | null>(null);
  useEffect(() => {
    if (!read) return undefined;
    const timer = setTimeout(() => setRead(null), codeLifetimeMs);
    return () => clearTimeout(timer);
  }, [read]);
  return {
    code: read?.code ?? null,
    keepCode: (code: string) => setRead({ code }),
    dropCode: () => setRead(null),
  };
}
