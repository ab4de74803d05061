// « Vous recevrez une réponse sous 5 jours ouvrés… », in its place on a page before it is there.
import { type ComponentProps, lazy, Suspense } from "react";

const load = () => import("./answer-delay-text.tsx");
const Text = lazy(async () => ({ default: (await load()).AnswerDelayText }));
const InBanner = lazy(async () => ({ default: (await load()).AnswerDelayBanner }));

/** `banner` frames it, and shows by its colour that it is late. */
export const AnswerDelay = ({
  banner,
  ...awaited
}: ComponentProps<typeof Text> & { banner?: boolean }) => (
  <Suspense fallback={"\u00a0"}>
    {banner ? <InBanner {...awaited} /> : <Text {...awaited} />}
  </Suspense>
);
