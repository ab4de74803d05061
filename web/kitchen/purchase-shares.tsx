// The shares that a provider declares of its purchases, as the law EGalim counts them: by value, over a year.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { egalimGoals } from "#contract/kitchen/egalim.ts";
import { type PurchaseShare, sharesOf } from "#contract/kitchen/purchases.ts";
import { todayInParis } from "#contract/days.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { FormActions } from "#web/ui/form-actions.tsx";
import { useForm } from "#web/ui/form.ts";
import { TextInput } from "#web/ui/input.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import { readCount } from "./rules-input.ts";

export function PurchaseShares({ mayDeclare }: { mayDeclare: boolean }) {
  const answer = useAnswer(api.canteen.purchaseShares, {});
  const [writing, setWriting] = useState(false);
  const items = answer.data?.items ?? [];
  const close = () => setWriting(false);
  return (
    <Section title="Loi EGalim, vos achats de l’année">
      {!answer.data && <NotLoaded answer={answer} lines={2} height="2rem" />}
      {answer.data && (
        <>
          {items.length === 0 && (
            <p>
              Pas encore déclarés. Les familles les liront sur la page de vos cantines, comme la loi
              le demande.
            </p>
          )}
          {items.length > 0 && (
            <Stack as="ul" gap={4}>
              {items.slice(0, 3).map((one) => (
                <li key={one.year}>
                  <strong>{one.year}</strong> {sharesOf(one)}
                </li>
              ))}
            </Stack>
          )}
          {mayDeclare && (
            <div>
              <Button icon="edit" aria-haspopup="dialog" onClick={() => setWriting(true)}>
                Déclarer une année
              </Button>
            </div>
          )}
          <Text tone="soft" size="fine">
            En valeur d’achat hors taxes. La loi demande {egalimGoals.sustainable}&nbsp;% de
            produits durables et de qualité, dont {egalimGoals.organic}&nbsp;% biologiques.
          </Text>
        </>
      )}
      <Dialog open={writing} onClose={close} title="Déclarer une année d’achats">
        {writing && <ShareForm declared={items} onClose={close} />}
      </Dialog>
    </Section>
  );
}

const wrongPercent = "Saisissez un nombre entier, de 0 à 100.";
const yearsOffered = 4;

function ShareForm({
  declared,
  onClose,
}: {
  declared: readonly PurchaseShare[];
  onClose: () => void;
}) {
  const thisYear = Number(todayInParis().slice(0, 4));
  const years = Array.from({ length: yearsOffered }, (_, back) => String(thisYear - back));
  const declare = useAction(
    ({ year, sustainable, organic }: Record<"year" | "sustainable" | "organic", string>) =>
      call(api.canteen.declarePurchaseShare, {
        year: Number(year),
        sustainable: Number(sustainable),
        organic: Number(organic),
      }),
    { says: (_, { year }) => `Part des achats de ${year} enregistrée.`, onDone: onClose },
  );
  const first = declared.find(({ year }) => year === thisYear - 1);
  const { field, set, problem, form } = useForm(
    {
      year: String(thisYear - 1),
      sustainable: first ? String(first.sustainable) : "",
      organic: first ? String(first.organic) : "",
    },
    ({ sustainable, organic }) => ({
      sustainable: readCount(sustainable, 0, 100) === null && wrongPercent,
      organic: readCount(organic, 0, 100) === null && wrongPercent,
    }),
    declare,
    { problemFields: { purchase_share_organic: "organic", purchase_share_year: "year" } },
  );
  const { onValue, ...year } = field("year");
  return (
    <form {...form}>
      <Select
        label="Année"
        options={years.map((value) => ({ value, label: value }))}
        {...year}
        onValue={(value) => {
          const known = declared.find((one) => String(one.year) === value);
          onValue(value);
          if (known)
            set({ sustainable: String(known.sustainable), organic: String(known.organic) });
        }}
      />
      <TextInput
        label="Produits durables et de qualité, en % des achats"
        inputMode="numeric"
        autoComplete="off"
        maxLength={3}
        {...field("sustainable")}
      />
      <TextInput
        label="dont biologiques, en % des achats"
        inputMode="numeric"
        autoComplete="off"
        maxLength={3}
        {...field("organic")}
      />
      <ProblemBanner problem={problem} title="L’année n’a pas été enregistrée." />
      <FormActions submit="Enregistrer" isSending={declare.isPending} onCancel={onClose} />
    </form>
  );
}
