// « Premiers pas » : what the owner of a company that has just joined does to begin. Each ticks itself once it is done,
// and the list goes with the last.
import { linkTo } from "#contract/link-to.ts";
import { paths } from "#contract/paths.ts";
import type { FirstStep } from "#contract/portal/professional-home.ts";
import { ButtonLink } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Section } from "#web/ui/layout.tsx";
import styles from "./to-do-list.module.css";

interface Words {
  title: string;
  text: string;
  label: string;
  href: string;
}

const words: Readonly<Record<FirstStep["kind"], (one: FirstStep) => Words>> = {
  bank: () => ({
    title: "Donner l’IBAN de l’entreprise",
    text: "Vos ventes y sont versées",
    label: "Donner l’IBAN",
    href: paths.company,
  }),
  sheet: ({ id }) => ({
    title: "Compléter la fiche",
    text: "Présentation, horaires et avantages, lus par les porteurs dans l’annuaire",
    label: "Compléter",
    href: id ? linkTo(paths.categories, {}, { sheet: id }) : paths.categories,
  }),
  sale: () => ({
    title: "Faire une première vente",
    text: "À la caisse, avec le QR code ou le numéro d’une carte",
    label: "Ouvrir la caisse",
    href: paths.till,
  }),
  menu: () => ({
    title: "Publier un premier menu",
    text: "Les familles le lisent et commandent",
    label: "Écrire un menu",
    href: paths.canteenDesk,
  }),
  registration: () => ({
    title: "Accepter une première inscription",
    text: "Qui est inscrit commande des repas",
    label: "Voir les demandes",
    href: linkTo(paths.canteenDesk, {}, { tab: "inscriptions" }),
  }),
};

export const FirstSteps = ({ steps }: { steps: readonly FirstStep[] }) => (
  <Section title={`Premiers pas, ${steps.filter(({ done }) => done).length} sur ${steps.length}`}>
    <ol className={styles.toDos}>
      {steps.map((one) => {
        const { title, text, label, href } = words[one.kind](one);
        return (
          <li key={one.kind} className={styles.toDo} data-tone={one.done ? "success" : "info"}>
            <Icon name={one.done ? "success" : "info"} />
            <div className={styles.toDoWords}>
              <p className={styles.toDoTitle}>
                {title}
                {one.done && <span className="unseen">{"\u202f"}: fait</span>}
              </p>
              <p className={styles.toDoText}>{one.done ? "Fait" : text}</p>
            </div>
            {!one.done && (
              <ButtonLink size="small" href={href}>
                {label}
              </ButtonLink>
            )}
          </li>
        );
      })}
    </ol>
  </Section>
);
