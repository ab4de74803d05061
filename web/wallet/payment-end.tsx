// The outcome of a payment: the words, the facts, what comes next. The same form for whatever is paid.
import { type ReactNode, useEffect, useRef } from "react";
import type { Tone } from "#web/ui/banner.tsx";
import type { IconName } from "#web/ui/icon.tsx";
import { DefinitionList } from "#web/ui/layout.tsx";
import { Picture } from "#web/ui/picture.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { StepHeading } from "#web/ui/step-heading.tsx";
import styles from "./payment-end.module.css";

type Facts = Parameters<typeof DefinitionList>[0]["items"];

export function PaymentEnd({
  icon = "check",
  tone = "success",
  title,
  words,
  warning,
  facts,
  acts,
  children,
}: {
  icon?: IconName;
  tone?: Tone | "neutral";
  title: string;
  /** Sentences under the title. */
  words?: readonly ReactNode[];
  warning?: ReactNode;
  facts?: Facts;
  acts: ReactNode;
  /** What was bought, under the facts. */
  children?: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const lastTitle = useRef("");
  useEffect(() => {
    if (lastTitle.current === title) return;
    lastTitle.current = title;
    // Whoever has moved on meanwhile is left where they are.
    const active = document.activeElement;
    const isFree = active === null || active === document.body || active.matches('[tabindex="-1"]');
    if (isFree) heading.current?.focus();
  }, [title]);
  return (
    <Stack gap={20}>
      <div className={styles.words} aria-live="polite">
        <Picture icon={icon} tone={tone} />
        <StepHeading ref={heading} tabIndex={-1}>
          {title}
        </StepHeading>
        {words?.map((line, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- sentences of one moment
          <p key={place}>{line}</p>
        ))}
      </div>
      {warning}
      {facts && facts.length > 0 && <DefinitionList items={facts} />}
      <div className={styles.acts}>{acts}</div>
      {children}
    </Stack>
  );
}
