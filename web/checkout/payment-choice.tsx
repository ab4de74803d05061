// What pays a purchase: the option that is proposed, in a line, and the others behind « Changer ».
import { useEffect, useRef, useState } from "react";
import { firstName, formatMoney, ofName } from "#contract/french.ts";
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { RadioGroup } from "#web/ui/choice.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Text } from "#web/ui/text.tsx";
import type { ClosedOption, PaymentOption } from "./payment-options.ts";
import styles from "./payment-choice.module.css";

export function PaymentChoice({
  options,
  closed,
  chosen,
  onValue,
}: {
  options: readonly PaymentOption[];
  closed: readonly ClosedOption[];
  /** Null where nothing can pay. */
  chosen: PaymentOption | null;
  onValue: (value: string) => void;
}) {
  const [open, setOpen] = useState(false);
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!open) return;
    const place = list.current;
    const radio =
      place?.querySelector<HTMLElement>("input:checked") ?? place?.querySelector("input");
    (radio ?? place)?.focus();
  }, [open]);
  if (chosen && !open) {
    return (
      <section className={styles.chosen} aria-label="Payer avec">
        <div className={styles.head}>
          <Text tone="soft" size="small">
            Payer avec
          </Text>
          {options.length + closed.length > 1 && (
            <Button size="small" aria-expanded={false} onClick={() => setOpen(true)}>
              {options.length > 1 ? "Changer" : "Autres moyens"}
            </Button>
          )}
        </div>
        <ul className={styles.shares}>
          {chosen.shares.map(({ value, icon, label, hint, amountCents }) => (
            <li key={value} className={styles.share}>
              <Icon name={icon} size={20} />
              <span className={styles.words}>
                <strong>{label}</strong>
                <Text as="span" tone="soft" size="small">
                  {hint}
                </Text>
              </span>
              {chosen.shares.length > 1 && (
                <Text as="span" numeric noWrap>
                  {formatMoney(amountCents)}
                </Text>
              )}
            </li>
          ))}
        </ul>
      </section>
    );
  }
  return (
    <Stack ref={list} gap={12} tabIndex={-1}>
      {options.length > 0 && (
        <RadioGroup
          label="Payer avec"
          boxed
          options={options}
          value={chosen?.value ?? null}
          onValue={(value) => {
            // Also where it shows because nothing was proposed: the list stays under the hand.
            setOpen(true);
            onValue(value);
          }}
        />
      )}
      {closed.length > 0 && <Closed closed={closed} />}
    </Stack>
  );
}

/** What cannot pay: told, never offered to a press. */
const Closed = ({ closed }: { closed: readonly ClosedOption[] }) => (
  <div className={styles.closed}>
    <Text tone="soft" size="small" weight="strong">
      Ne peuvent pas payer cet achat
    </Text>
    <ul>
      {closed.map(({ value, label, why, limited, child }, place) => (
        <li key={value}>
          <Text as="span" tone="soft" size="small">
            {label} : {why}
          </Text>
          {limited &&
            child &&
            !closed.some(
              (other, next) =>
                next > place && other.limited && other.child?.cardnumber === child.cardnumber,
            ) && <LimitsLink child={child} />}
        </li>
      ))}
    </ul>
  </div>
);

/** Leads a guardian to the limits of a child. */
export const LimitsLink = ({ child }: { child: NonNullable<PaymentOption["child"]> }) => (
  <ButtonLink
    size="small"
    icon="edit"
    href={linkTo(paths.familyMember, { cardnumber: child.cardnumber })}
  >
    Changer les plafonds {ofName(firstName(child.name))}
  </ButtonLink>
);
