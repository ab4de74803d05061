// The lists of a sheet as they are written: spans of each day, closures, offers.
import type { ReactNode } from "react";
import { capital } from "#contract/french.ts";
import { offerKindNames, offerKinds } from "#contract/partners/rows.ts";
import { type EditableSheet, sheetLists } from "#contract/partners/sheet.ts";
import { Button, IconButton } from "#web/ui/button.tsx";
import { Select } from "#web/ui/choice.tsx";
import { DateField } from "#web/ui/date-field.tsx";
import { FieldError } from "#web/ui/field.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Section } from "#web/ui/layout.tsx";
import { Text } from "#web/ui/text.tsx";
import { weekdayName } from "./place-words.ts";
import styles from "./sheet.module.css";

type Hours = EditableSheet["hours"];
type Closures = EditableSheet["closures"];
type Offers = EditableSheet["offers"];

const without = <T,>(list: readonly T[], place: number): T[] =>
  list.filter((_, at) => at !== place);
const replaced = <T,>(list: readonly T[], place: number, part: Partial<T>): T[] =>
  list.map((one, at) => (at === place ? { ...one, ...part } : one));

/** Each day with its spans; a day without one is a day off. */
export function HoursFields({
  hours,
  error,
  onHours,
}: {
  hours: Hours;
  error: ReactNode;
  onHours: (hours: Hours) => void;
}) {
  return (
    <Section title="Horaires">
      <Text tone="soft" size="small">
        Ouvert après minuit{"\u202f"}? Écrivez l’heure du lendemain, par exemple de 18:00 à 02:00.
      </Text>
      <div className={styles.list} data-invalid={error ? true : undefined}>
        {[1, 2, 3, 4, 5, 6, 7].map((weekday) => {
          const day = weekdayName(weekday);
          const spans = hours.flatMap((span, place) =>
            span.weekday === weekday ? [{ ...span, place }] : [],
          );
          return (
            <fieldset key={weekday} className={styles.day}>
              <legend className={styles.legend}>{capital(day)}</legend>
              {spans.length === 0 && (
                <Text tone="soft" size="small">
                  Fermé
                </Text>
              )}
              {spans.map(({ opens, closes, place }, turn) => (
                <div key={place} className={styles.span}>
                  <TextInput
                    label="Ouvre"
                    aria-label={`Ouvre, ${day}${turn > 0 ? `, plage ${turn + 1}` : ""}`}
                    type="time"
                    value={opens}
                    onValue={(value) => onHours(replaced(hours, place, { opens: value }))}
                  />
                  <TextInput
                    label="Ferme"
                    aria-label={`Ferme, ${day}${turn > 0 ? `, plage ${turn + 1}` : ""}`}
                    type="time"
                    // Midnight is the end of the day; a clock shows its beginning.
                    value={closes === "24:00" ? "00:00" : closes}
                    onValue={(value) =>
                      onHours(
                        replaced(hours, place, { closes: value === "00:00" ? "24:00" : value }),
                      )
                    }
                  />
                  <IconButton
                    icon="trash"
                    label={`Retirer la plage du ${day} à ${opens}`}
                    onClick={() => onHours(without(hours, place))}
                  />
                </div>
              ))}
              {hours.length < sheetLists.spans && (
                <Button
                  size="small"
                  icon="plus"
                  onClick={() => onHours([...hours, nextSpan(weekday, spans)])}
                >
                  Ajouter une plage<span className="unseen"> le {day}</span>
                </Button>
              )}
            </fieldset>
          );
        })}
      </div>
      <FieldError id="hours-error" error={error} />
    </Section>
  );
}

/** The afternoon after a morning, else a whole day. */
const nextSpan = (weekday: number, spans: Hours): Hours[number] =>
  spans.length === 0
    ? { weekday, opens: "09:00", closes: "18:00" }
    : { weekday, opens: "", closes: "" };

/** Days on which the place is closed although it usually opens. */
export function ClosureFields({
  closures,
  error,
  onClosures,
}: {
  closures: Closures;
  error: ReactNode;
  onClosures: (closures: Closures) => void;
}) {
  return (
    <Section title="Fermetures">
      <div className={styles.list} data-invalid={error ? true : undefined}>
        {closures.length === 0 && (
          <Text tone="soft" size="small">
            Aucune fermeture prévue.
          </Text>
        )}
        {closures.map(({ fromOn, toOn, reason }, place) => (
          <fieldset
            // oxlint-disable-next-line react/no-array-index-key -- lines have no name but their place
            key={place}
            className={styles.item}
          >
            <legend className={styles.legend}>Fermeture {place + 1}</legend>
            <DateField
              label="Premier jour"
              value={fromOn}
              onValue={(value) => onClosures(replaced(closures, place, { fromOn: value }))}
            />
            <DateField
              label="Dernier jour"
              optional
              value={toOn}
              onValue={(value) => onClosures(replaced(closures, place, { toOn: value }))}
            />
            <TextInput
              label="Motif"
              maxLength={120}
              value={reason}
              onValue={(value) => onClosures(replaced(closures, place, { reason: value }))}
            />
            <Button size="small" icon="trash" onClick={() => onClosures(without(closures, place))}>
              Retirer<span className="unseen"> la fermeture {place + 1}</span>
            </Button>
          </fieldset>
        ))}
        {closures.length < sheetLists.closures && (
          <Button
            icon="plus"
            onClick={() => onClosures([...closures, { fromOn: "", toOn: "", reason: "" }])}
          >
            Ajouter une fermeture
          </Button>
        )}
      </div>
      <FieldError id="closures-error" error={error} />
    </Section>
  );
}

const kinds = offerKinds.map((value) => ({ value, label: offerKindNames[value] }));

/** What the place gives to whoever shows the card. */
export function OfferFields({
  offers,
  error,
  onOffers,
}: {
  offers: Offers;
  error: ReactNode;
  onOffers: (offers: Offers) => void;
}) {
  return (
    <Section title="Avantages">
      <div className={styles.list} data-invalid={error ? true : undefined}>
        {offers.length === 0 && (
          <Text tone="soft" size="small">
            Aucun avantage affiché.
          </Text>
        )}
        {offers.map((offer, place) => (
          <fieldset
            // oxlint-disable-next-line react/no-array-index-key -- lines have no name but their place
            key={place}
            className={styles.item}
          >
            <legend className={styles.legend}>Avantage {place + 1}</legend>
            <Select
              label="Genre"
              options={kinds}
              value={offer.kind}
              onValue={(kind) => onOffers(replaced(offers, place, { kind }))}
            />
            <TextInput
              label="Titre"
              maxLength={80}
              value={offer.title}
              onValue={(title) => onOffers(replaced(offers, place, { title }))}
            />
            <TextInput
              label="Précision"
              optional
              maxLength={300}
              value={offer.detail ?? ""}
              onValue={(detail) => onOffers(replaced(offers, place, { detail }))}
            />
            <DateField
              label="À partir du"
              optional
              value={offer.fromOn ?? ""}
              onValue={(value) => onOffers(replaced(offers, place, { fromOn: value || null }))}
            />
            <DateField
              label="Jusqu’au"
              optional
              value={offer.toOn ?? ""}
              onValue={(value) => onOffers(replaced(offers, place, { toOn: value || null }))}
            />
            <Button size="small" icon="trash" onClick={() => onOffers(without(offers, place))}>
              Retirer<span className="unseen"> l’avantage {place + 1}</span>
            </Button>
          </fieldset>
        ))}
        {offers.length < sheetLists.offers && (
          <Button
            icon="plus"
            onClick={() =>
              onOffers([
                ...offers,
                { kind: "discount", title: "", detail: null, fromOn: null, toOn: null },
              ])
            }
          >
            Ajouter un avantage
          </Button>
        )}
      </div>
      <FieldError id="offers-error" error={error} />
    </Section>
  );
}
