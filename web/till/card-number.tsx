// The number of a card typed by hand, or its code typed by a hand reader: in place of the keypad.
import { Banner } from "#web/ui/banner.tsx";
import { TextInput } from "#web/ui/input.tsx";
import { Stack } from "#web/ui/stack.tsx";

export function CardNumber({
  value,
  onValue,
  onEnter,
  onCancel,
  isOnline,
  isCameraRefused,
}: {
  value: string;
  onValue: (value: string) => void;
  onEnter: () => void;
  onCancel: () => void;
  isOnline: boolean;
  isCameraRefused: boolean;
}) {
  return (
    <Stack gap={12}>
      {isCameraRefused && (
        <Banner tone="warning" title="L’appareil photo n’est pas accessible.">
          Autorisez-le dans le navigateur, ou saisissez le numéro de la carte.
        </Banner>
      )}
      <TextInput
        label="Code de la carte, ou son numéro"
        hint={
          isOnline
            ? "Un lecteur tape le code. Avec un numéro, la personne confirme sur son téléphone."
            : "Hors connexion, seul le QR code de la carte sert."
        }
        value={value}
        onValue={onValue}
        // A hand reader ends what it types with this key.
        onKeyDown={({ key }) => {
          if (key === "Enter") onEnter();
          if (key === "Escape") onCancel();
        }}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it is there because it was chosen
        autoFocus
        autoComplete="off"
        enterKeyHint="go"
      />
    </Stack>
  );
}
