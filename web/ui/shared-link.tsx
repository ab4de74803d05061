// An address to hand to somebody: by the sheet of the system, or copied. It is shown once.
import "./shared-link.css";
import { Actions } from "./actions.tsx";
import { Button } from "./button.tsx";
import { CopyButton, ShareButton } from "./person.tsx";
import { Stack } from "./stack.tsx";

export function SharedLink({
  title,
  address,
  onDone,
}: {
  /** What the sheet of the system says beside the address. */
  title: string;
  address: string;
  onDone: () => void;
}) {
  return (
    <Stack>
      <p className="shared-link-address">{address}</p>
      <Actions>
        <ShareButton title={title} url={address} label="Partager le lien" />
        <CopyButton text={address} label="Copier le lien" />
        <Button kind={"share" in navigator ? "secondary" : "primary"} onClick={onDone}>
          C’est fait
        </Button>
      </Actions>
    </Stack>
  );
}
