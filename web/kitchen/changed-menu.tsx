// A colleague has saved another menu than the one that the typing began with: what changed, and the choice between
// both.
import type { MenuView } from "#contract/kitchen/menus.ts";
import { Banner } from "#web/ui/banner.tsx";
import { Button } from "#web/ui/button.tsx";
import { Stack } from "#web/ui/stack.tsx";
import { ChangeList } from "./change-list.tsx";
import { menuChanges } from "./menu-changes.ts";
import { menuOfText } from "./menu-lines.ts";

export function ChangedMenu({
  base,
  menu,
  refusal,
  onRead,
  onKeep,
}: {
  /** The menu that the typing began with (`menuText`). */
  base: string;
  menu: MenuView;
  /** Why the menu was not saved; null before anybody tried. */
  refusal: string | null;
  onRead: () => void;
  onKeep: () => void;
}) {
  return (
    <Banner
      // The refusal is announced as it happens, also where the change was shown already.
      key={refusal === null ? "changed" : "refused"}
      tone={refusal === null ? "warning" : "danger"}
      alert={refusal !== null}
      title={
        refusal === null
          ? "Ce menu a changé depuis votre saisie."
          : "Le menu n’a pas été enregistré."
      }
      actions={
        <>
          <Button onClick={onRead}>Relire le menu</Button>
          <Button kind="ghost" onClick={onKeep}>
            Garder ma saisie
          </Button>
        </>
      }
    >
      <Stack gap={8}>
        {refusal !== null && <p>{refusal}</p>}
        <ChangeList changes={menuChanges(menuOfText(base), menu)} />
        <p>
          Relire le menu laisse votre saisie à portée, pour la reprendre. Si vous la gardez, elle
          remplace ce menu quand vous l’enregistrez.
        </p>
      </Stack>
    </Banner>
  );
}
