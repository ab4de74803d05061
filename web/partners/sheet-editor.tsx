// What the owner of a sheet writes on it: text, phone, opening hours, closures, offers. Holders read it as
// soon as it is kept.
import { useState } from "react";
import { api } from "#contract/api.ts";
import { todayInParis } from "#contract/days.ts";
import type { EditableSheet } from "#contract/partners/sheet.ts";
import { useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { frenchPhone } from "#web/ui/phone-format.ts";
import { Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { dayFault } from "#web/ui/days.ts";
import { type Faults, useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextArea, TextInput } from "#web/ui/input.tsx";
import { Section } from "#web/ui/layout.tsx";
import { PhoneInput } from "#web/ui/phone.tsx";
import { EmptyState, ErrorState, Loading, Skeleton } from "#web/ui/state.tsx";
import { SheetIdentityPart, useIdentity } from "./sheet-identity.tsx";
import { ClosureFields, HoursFields, OfferFields } from "./sheet-lists.tsx";

/** The sheet as it is typed; an empty end of a closure is the day of its beginning. */
interface TypedSheet {
  summary: string;
  description: string;
  phone: string;
  hours: EditableSheet["hours"];
  closures: EditableSheet["closures"];
  offers: EditableSheet["offers"];
}

export function SheetEditor({ id, onDone }: { id: string; onDone: () => void }) {
  const answer = useAnswer(api.partners.editableSheet, { id });
  const identity = useIdentity(id);
  const seen = answer.data;
  // Drawn together: how tall the identity is, with what was asked of it, is not known before.
  if (answer.isPending || identity.isPending) {
    return (
      <Loading label="Chargement de la fiche…">
        <Skeleton lines={6} height="4rem" />
      </Loading>
    );
  }
  if (!seen) return <ErrorState title="La fiche n’a pas pu être chargée." answer={answer} />;
  if (!seen.canEdit) {
    return (
      <EmptyState icon="lock" title="Cette fiche ne vous est pas ouverte">
        Un responsable de l’entreprise écrit ce qu’elle dit.
      </EmptyState>
    );
  }
  return (
    <>
      <SheetIdentityPart id={id} answer={identity} />
      <SheetForm sheet={seen} onDone={onDone} />
    </>
  );
}

function SheetForm({ sheet, onDone }: { sheet: EditableSheet; onDone: () => void }) {
  const [e164, setE164] = useState(sheet.phone);
  const write = useAction(
    ({ phone, offers, ...typed }: TypedSheet) =>
      call(api.partners.writeSheet, {
        id: sheet.id,
        ...typed,
        hours: withNights(typed.hours),
        closures: typed.closures.map((one) => ({ ...one, toOn: one.toOn || one.fromOn })),
        offers: offers.map((one) => ({ ...one, detail: one.detail?.trim() || null })),
        phone: phone.trim() === "" ? null : (e164 ?? phone),
      }),
    { says: "Votre fiche est à jour dans l’annuaire.", onDone },
  );
  const first: TypedSheet = {
    summary: sheet.summary,
    description: sheet.description,
    phone: sheet.phone ? frenchPhone(sheet.phone) : "",
    hours: sheet.hours,
    closures: sheet.closures,
    offers: sheet.offers,
  };
  const rules = (typed: TypedSheet): Faults<TypedSheet> => ({
    summary: typed.summary.trim() === "" && "Dites votre activité en une phrase.",
    description: typed.description.trim() === "" && "Décrivez votre établissement.",
    phone:
      typed.phone.trim() !== "" &&
      e164 === null &&
      "Vérifiez le numéro, par exemple 02 99 12 34 56.",
    hours: hoursFault(withNights(typed.hours)),
    closures: closuresFault(typed.closures),
    offers: offersFault(typed.offers),
  });
  const { values, set, errorOf, field, problem, form } = useForm<TypedSheet>(first, rules, write, {
    problemFields: {
      phone_invalid: "phone",
      partner_hours_overlap: "hours",
      partner_closures_overlap: "closures",
    },
  });
  return (
    <form {...form}>
      {!sheet.listed && (
        <Banner tone="warning" title="Cette fiche n’est pas dans l’annuaire">
          Vous pouvez la préparer&#8239;: elle y reviendra telle que vous l’écrivez.
        </Banner>
      )}
      <Section title="Présentation">
        <TextInput label="En une phrase" maxLength={160} {...field("summary")} />
        <TextArea
          label="Description"
          hint="Une ligne vide sépare deux paragraphes."
          rows={6}
          maxLength={2000}
          {...field("description")}
        />
        <PhoneInput
          label="Téléphone"
          optional
          autoComplete="off"
          value={values.phone}
          onValue={(phone, valid) => {
            setE164(valid);
            set({ phone });
          }}
          error={errorOf("phone")}
        />
      </Section>
      <HoursFields
        hours={values.hours}
        error={errorOf("hours")}
        onHours={(hours) => set({ hours })}
      />
      <ClosureFields
        closures={values.closures}
        error={errorOf("closures")}
        onClosures={(closures) => set({ closures })}
      />
      <OfferFields
        offers={values.offers}
        error={errorOf("offers")}
        onOffers={(offers) => set({ offers })}
      />
      <ProblemBanner problem={problem} title="La fiche n’a pas changé." />
      <FormActions submit="Enregistrer la fiche" isSending={write.isPending} onCancel={onDone} />
    </form>
  );
}

/** A span typed past midnight, 18:00 to 02:00, is kept as that evening and the night of the next day. */
const withNights = (hours: TypedSheet["hours"]): TypedSheet["hours"] =>
  hours.flatMap((span) =>
    span.closes !== "" && span.closes < span.opens
      ? [
          { ...span, closes: "24:00" },
          { weekday: (span.weekday % 7) + 1, opens: "00:00", closes: span.closes },
        ]
      : [span],
  );

function hoursFault(hours: TypedSheet["hours"]): string | false {
  if (hours.some(({ opens, closes }) => !(opens < closes))) {
    return "Une plage ferme à l’heure où elle ouvre, ou une heure manque. Corrigez-la ou retirez-la.";
  }
  const crossed = hours.some((one, place) =>
    hours.some(
      (other, at) =>
        at < place &&
        one.weekday === other.weekday &&
        one.opens < other.closes &&
        other.opens < one.closes,
    ),
  );
  return crossed && "Deux plages du même jour se chevauchent. Corrigez-en une.";
}

function closuresFault(closures: TypedSheet["closures"]): string | false {
  const today = todayInParis();
  for (const { fromOn, toOn, reason } of closures) {
    const wrong = dayFault(fromOn) || (toOn !== "" && dayFault(toOn));
    if (wrong) return `Fermeture\u202f: ${wrong}`;
    if (toOn !== "" && toOn < fromOn) return "Une fermeture finit avant de commencer.";
    if ((toOn || fromOn) < today) return "Une fermeture est déjà passée. Retirez-la.";
    if (reason.trim() === "") return "Dites pourquoi vous fermez.";
  }
  return false;
}

function offersFault(offers: TypedSheet["offers"]): string | false {
  if (offers.some(({ title }) => title.trim() === "")) return "Donnez un titre à chaque avantage.";
  const wrong = offers.some(
    ({ fromOn, toOn }) => fromOn !== null && toOn !== null && toOn < fromOn,
  );
  return wrong && "Un avantage finit avant de commencer.";
}
