// Importing menus from a file: chosen, previewed, confirmed.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { ImportedDay, MenuImportPreview } from "#contract/kitchen/menu-import.ts";
import type { MenuWeek } from "#contract/kitchen/menus.ts";
import { dietWords } from "#contract/kitchen/served-dishes.ts";
import { formatCount, formatDayInWords, plural } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { save } from "#web/app/shared/save.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { Badge, Banner, ProblemBanner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Checkbox, Select } from "#web/ui/choice.tsx";
import { faultsTitle } from "#web/ui/file-faults.tsx";
import { FileField } from "#web/ui/file-field.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { Loading, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./menu-import.module.css";

interface Choices {
  file: File;
  source?: string | undefined;
  prices: boolean;
}

interface Typed {
  publish: boolean;
}

/** Not the name of a menu, which may be "". */
const whole = "\n";
const menuName = (source: string) => source || "Sans nom";
const truth = (value: boolean) => (value ? "true" : "false");
const bytesOf = (file: File) => new Blob([file], { type: "application/octet-stream" });

export function MenuImport({
  onImported,
  onClose,
}: {
  onImported: (week: MenuWeek) => void;
  onClose: () => void;
}) {
  const [choices, setChoices] = useState<Choices | null>(null);
  // Of the file as it was chosen, so that the choice among them stays while another is read.
  const [sources, setSources] = useState<readonly string[]>([]);
  const preview = useAction(
    ({ file, source, prices }: Choices) =>
      call(
        api.canteen.previewMenuImport,
        { source, prices: truth(prices) },
        { file: bytesOf(file) },
      ),
    { onDone: (read) => setSources(read.sources) },
  );
  const look = (next: Choices) => {
    setChoices(next);
    setIsUndeclared(false);
    write.reset();
    preview.send(next);
  };
  const [isUndeclared, setIsUndeclared] = useState(false);
  const write = useAction(
    ({ publish }: Typed) => {
      const { file, prices } = choices as Choices;
      const { source, fingerprint } = preview.data as MenuImportPreview;
      // Sent again after that refusal, it is confirmed.
      const confirmed = { publish: truth(publish), undeclared: truth(isUndeclared) } as const;
      return call(
        api.canteen.importMenus,
        { source, prices: truth(prices), ...confirmed, fingerprint },
        { file: bytesOf(file) },
      );
    },
    {
      says: ({ days }, { publish }) => {
        const count = plural(days, "jour importé", "jours importés");
        return `${count}. ${publish ? "Les familles voient ces menus." : "Publiez quand tout est prêt."}`;
      },
      onDone: ({ monday, items, closed }) => onImported({ monday, items, closed }),
      onRefused: ({ code }) => {
        setIsUndeclared(code === "menu_undeclared");
        if (code === "menu_preview_changed" && choices) preview.send(choices);
      },
    },
  );
  const seen = preview.data;
  const { values, set, problem, form } = useForm<Typed>({ publish: false }, () => ({}), write);
  const isWhole = choices?.source === undefined && (seen?.faults.length ?? 0) > 0;
  const hasPublished = seen?.days.some(({ there }) => there === "published") ?? false;
  const ready = seen && seen.days.length > 0 && !preview.isPending;
  return (
    <Stack as="form" {...form}>
      <p>
        Un fichier CSV au format public «&nbsp;menus-collectifs&nbsp;»{"\u202f"}: un plat par ligne,
        avec sa date, son type, son nom, ses labels et ses allergènes. La colonne
        menuPlatPourRegime, propre à Ma carte, dit pour quels régimes un plat remplace les autres de
        son type&#8239;: sans porc, sans viande ou végétarien. Vide, le plat est pour tous.
      </p>
      <div>
        <Button size="small" icon="download" onClick={saveModel}>
          Télécharger un modèle
        </Button>
      </div>
      <FileField
        label="Fichier de menus"
        hint={"CSV de 2\u202fMo au plus. Rien n’est écrit avant votre confirmation."}
        accept=".csv,.txt,text/csv"
        file={choices?.file ?? null}
        onFile={(file) => {
          setSources([]);
          look({ file, prices: choices?.prices ?? false });
        }}
      />
      {choices && (
        <Checkbox
          label="Reprendre les prix du fichier"
          hint="Les familles les verront. Ne cochez pas si le fichier donne un coût de revient."
          checked={choices.prices}
          onChecked={(prices) => look({ ...choices, prices })}
        />
      )}
      {choices && sources.length > 1 && (
        <Select
          label="Menu à importer"
          hint="Ce fichier en contient plusieurs."
          options={[
            // While none is chosen, the faults are those of all.
            ...(isWhole ? [{ value: whole, label: "Tous : erreurs du fichier entier" }] : []),
            ...sources.map((value) => ({ value, label: menuName(value) })),
          ]}
          value={isWhole ? whole : (choices.source ?? sources[0] ?? "")}
          onValue={(source) => source !== whole && look({ ...choices, source })}
        />
      )}
      {preview.isPending && (
        <Loading label="Lecture du fichier…">
          <Skeleton lines={3} height="2.5rem" />
        </Loading>
      )}
      <ProblemBanner problem={preview.problem} title="Ce fichier ne convient pas." />
      {seen && !preview.isPending && <Preview seen={seen} />}
      {ready && (
        <Checkbox
          label="Publier ces menus tout de suite"
          hint={`Sinon les familles ne les voient pas encore${hasPublished ? "\u202f; les jours déjà publiés le restent" : ""}.`}
          checked={values.publish}
          onChecked={(publish) => {
            setIsUndeclared(false);
            write.reset();
            set({ publish });
          }}
        />
      )}
      <ProblemBanner problem={problem} title="Rien n’a été importé." />
      <FormActions
        submit={
          isUndeclared
            ? "Publier ainsi"
            : ready
              ? `Importer ${plural(seen.days.length, "jour")}`
              : "Importer"
        }
        isSending={write.isPending}
        disabled={!ready}
        onCancel={onClose}
      />
    </Stack>
  );
}

function Preview({ seen }: { seen: MenuImportPreview }) {
  const { days, faults, stopped, notes, sources } = seen;
  if (faults.length > 0) {
    return (
      <Stack as="section" aria-label="Erreurs du fichier">
        <Banner tone="danger" alert title={faultsTitle(faults.length, stopped)}>
          Rien ne sera écrit tant qu’il en reste. Corrigez le fichier, enregistrez-le, puis
          choisissez-le à nouveau.
        </Banner>
        <ol className={styles.faults}>
          {faults.map(({ source, line, column, what }) => (
            <li key={`${line}${column}${what}`}>
              <strong>
                Ligne {line}
                {column && `, ${column}`}
                {sources.length > 1 && ` (${menuName(source)})`}
              </strong>
              <span>
                {what.charAt(0).toUpperCase()}
                {what.slice(1)}.
              </span>
            </li>
          ))}
        </ol>
      </Stack>
    );
  }
  const counted = (kind: ImportedDay["there"]) => days.filter(({ there }) => there === kind).length;
  const [published, replaced] = [counted("published"), counted("published") + counted("draft")];
  const dishes = days.reduce((sum, day) => sum + day.dishes.length, 0);
  return (
    <Stack as="section" aria-label="Aperçu de l’import">
      {days.length === 0 ? (
        <Banner tone="warning" title="Ce fichier n’a aucun menu à venir.">
          Les jours passés restent comme ils ont été servis. Choisissez un autre fichier.
        </Banner>
      ) : (
        <output>
          <strong>
            {plural(days.length, "jour")}, {plural(dishes, "plat")}
          </strong>
          {"\u202f"}: {formatCount(days.length - replaced)}{" "}
          {days.length - replaced > 1 ? "nouveaux" : "nouveau"},{" "}
          {plural(replaced, "remplacé", "remplacés")}
          {published > 0 && `, dont ${plural(published, "déjà publié", "déjà publiés")}`}.
        </output>
      )}
      {notes.length > 0 && (
        <ul className={styles.notes}>
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
      {days.length > 0 && (
        <ol className={styles.days} aria-label="Jours">
          {days.map((day) => (
            <li key={day.day}>
              <span className={styles.dayHead}>
                <strong>{formatDayInWords(day.day)}</strong>
                <Badge tone={day.there === "nothing" ? "success" : "warning"}>
                  {thereWords[day.there]}
                </Badge>
              </span>
              <Text as="span" tone="soft" size="fine">
                {day.dishes.map(dishWords).join(", ")}
              </Text>
            </li>
          ))}
        </ol>
      )}
    </Stack>
  );
}

const thereWords = {
  nothing: "Nouveau",
  draft: "Remplacé",
  published: "Remplacé, reste publié",
} as const;

/** « Omelette (sans viande, végétarien) ». */
const dishWords = (dish: ImportedDay["dishes"][number]): string =>
  dish.diets.length === 0 ? dish.name : `${dish.name} (${dietWords(dish)})`;

/** A file to fill in, as a French spreadsheet opens it by a double click. */
function saveModel(): void {
  const lines = [
    "menuDate;menuRepasType;menuPlatType;menuPlatNom;menuPlatSiqo;menuPlatLabel;menuPlatRegime;menuPlatAllergene;menuPlatPourRegime",
    "14/09/2026;déjeuner;entrée;Carottes râpées;agriculture biologique;local;végétarien;moutarde;",
    "14/09/2026;déjeuner;plat principal;Parmentier de poisson;;;;poisson, lait;",
    "14/09/2026;déjeuner;plat principal;Parmentier de lentilles;;;végétarien;lait;sans viande, végétarien",
    "14/09/2026;déjeuner;dessert;Poire;;local;;aucun;",
  ];
  const blob = new Blob([`\ufeff${lines.join("\r\n")}\r\n`], { type: "text/csv" });
  save({ blob, filename: "menus-modele.csv" });
}
