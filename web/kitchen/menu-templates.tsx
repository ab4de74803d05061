// Weeks kept without dates: laid on the week shown, kept from it, deleted.
import { useState } from "react";
import { api } from "#contract/api.ts";
import type { MenuTemplate, MenuWeek } from "#contract/kitchen/menus.ts";
import { plural } from "#contract/french.ts";
import { keyOf, queryClient, useAnswer } from "#web/app/transport/answers.ts";
import { call } from "#web/app/transport/api.ts";
import { useAction } from "#web/app/transport/use-action.ts";
import { ProblemBanner } from "#web/ui/banner.tsx";
import { Button, IconButton } from "#web/ui/button.tsx";
import { useForm } from "#web/ui/form.ts";
import { FormActions } from "#web/ui/form-actions.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { NotLoaded } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import styles from "./menus.module.css";
import { LaidWeekForm } from "./laid-week-form.tsx";
import { weekWords } from "./menu-week.ts";

interface Templates {
  items: MenuTemplate[];
}

const keepTemplates = (templates: Templates): void =>
  void queryClient.setQueryData(keyOf(api.canteen.menuTemplates, {}), templates);

export function MenuTemplates({
  monday,
  hasMenus,
  onLaid,
}: {
  monday: string;
  hasMenus: boolean;
  onLaid: (week: MenuWeek) => void;
}) {
  const templates = useAnswer(api.canteen.menuTemplates, {});
  const items = templates.data?.items;
  return (
    <Stack gap={20}>
      <Text tone="soft" size="fine">
        {weekWords(monday)}
      </Text>
      {!items && <NotLoaded answer={templates} lines={3} height="3rem" />}
      {items?.length === 0 && <p>Aucune semaine type pour l’instant.</p>}
      {items && items.length > 0 && <TemplateList items={items} monday={monday} onLaid={onLaid} />}
      {hasMenus && <SaveForm monday={monday} />}
    </Stack>
  );
}

function TemplateList({
  items,
  monday,
  onLaid,
}: {
  items: readonly MenuTemplate[];
  monday: string;
  onLaid: (week: MenuWeek) => void;
}) {
  const [laid, setLaid] = useState<MenuTemplate | null>(null);
  const remove = useAction((id: string) => call(api.canteen.deleteMenuTemplate, { id }), {
    onDone: keepTemplates,
  });
  if (laid) {
    return (
      <LayTemplate template={laid} monday={monday} onLaid={onLaid} onClose={() => setLaid(null)} />
    );
  }
  return (
    <>
      <ul className={styles.templateList}>
        {items.map(({ id, name, days }) => (
          <li key={id}>
            <span>
              <strong>{name}</strong>{" "}
              <Text as="span" tone="soft" size="fine">
                {plural(days, "jour")}
              </Text>
            </span>
            <Button size="small" onClick={() => setLaid({ id, name, days })}>
              Poser
              <span className="unseen"> {name}</span>
            </Button>
            <IconButton icon="trash" label={`Supprimer ${name}`} onClick={() => remove.send(id)} />
          </li>
        ))}
      </ul>
      <ProblemBanner problem={remove.problem} />
    </>
  );
}

/** What laying a template on the week shown would write, then laying it. */
function LayTemplate({
  template: { id, name },
  monday,
  onLaid,
  onClose,
}: {
  template: MenuTemplate;
  monday: string;
  onLaid: (week: MenuWeek) => void;
  onClose: () => void;
}) {
  const to = monday;
  const preview = useAnswer(api.canteen.previewMenuTemplate, { id, to }, { atOnce: true });
  return (
    <Stack as="section" aria-label={name} gap={20}>
      <h3>{name}</h3>
      <LaidWeekForm
        preview={preview}
        submit="Poser la semaine type"
        lay={(confirmed) => call(api.canteen.layMenuTemplate, { id, to, ...confirmed })}
        onLaid={onLaid}
        onClose={onClose}
      />
    </Stack>
  );
}

function SaveForm({ monday }: { monday: string }) {
  const keep = useAction(
    ({ name }: { name: string }) => call(api.canteen.saveMenuTemplate, { name, day: monday }),
    { says: "Semaine type enregistrée.", onDone: (templates) => keepTemplates(templates) },
  );
  const { field, problem, form } = useForm(
    { name: "" },
    ({ name }) => ({ name: name.trim() === "" && "Donnez un nom à cette semaine type." }),
    keep,
  );
  return (
    <form {...form}>
      <TextInput
        label="Garder cette semaine sous le nom"
        hint="Un nom déjà pris remplace la semaine type qui le porte."
        maxLength={60}
        autoComplete="off"
        {...field("name")}
      />
      <ProblemBanner problem={problem} />
      <FormActions kind="secondary" submit="Garder comme semaine type" isSending={keep.isPending} />
    </form>
  );
}
