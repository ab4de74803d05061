// The tab « Règles » of the canteen's desk: how it takes orders and what meals cost.
import { lazy, Suspense, useState } from "react";
import { api } from "#contract/api.ts";
import type { CanteenRules } from "#contract/kitchen/rules.ts";
import type { OwnCanteen } from "#contract/kitchen/own.ts";
import { isFirstRead, useAnswer } from "#web/app/transport/answers.ts";
import type { Answer } from "#web/app/transport/api.ts";
import { Section, Sides } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Loading, NotLoaded, Skeleton } from "#web/ui/state.tsx";
import { RulesForm } from "./rules-form.tsx";
import { PricesSection } from "./rules-prices.tsx";

const RulesPreviewSection = lazy(async () => ({
  default: (await import("./rules-preview.tsx")).RulesPreviewSection,
}));

export function RulesTab({ canteen }: { canteen: OwnCanteen }) {
  const answer = useAnswer(api.canteen.rules, { canteen: canteen.id });
  if (!answer.data) return <NotLoaded answer={answer} skeleton={place} />;
  return (
    <Suspense fallback={<Wait />}>
      <Rules canteen={canteen} {...answer.data} />
    </Suspense>
  );
}

const place = <Skeleton lines={6} height="3rem" />;
const Wait = () => <Loading>{place}</Loading>;

type Answered = Answer<typeof api.canteen.rules>;

/** Drawn with its preview: on a phone the prices are below it, and would move by its height. */
function Rules({ canteen, rules, prices }: Answered & { canteen: OwnCanteen }) {
  const preview = useAnswer(api.canteen.previewRules, { canteen: canteen.id, rules });
  if (isFirstRead(preview)) return <Wait />;
  return (
    <Stack gap={24}>
      <Previewed key={canteen.id} canteen={canteen.id} rules={rules} />
      <PricesSection canteen={canteen} prices={prices} />
    </Stack>
  );
}

function Previewed({ canteen, rules }: { canteen: string; rules: CanteenRules }) {
  const [typed, setTyped] = useState(rules);
  // Only deadlines change what is previewed.
  const { orderDeadline, cancelDeadline } = typed;
  return (
    <Sides
      main={
        <Section title="Règles de commande">
          <RulesForm canteen={canteen} rules={rules} onRules={setTyped} />
        </Section>
      }
      side={
        <RulesPreviewSection
          canteen={canteen}
          rules={{ ...rules, orderDeadline, cancelDeadline }}
        />
      }
    />
  );
}
