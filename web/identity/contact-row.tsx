// A contact as it stands, with the button that opens its form; what changes it comes when that is pressed.
import { type ComponentType, Suspense, useRef, useState } from "react";
import type { Proof } from "#web/app/transport/code-request.ts";
import { Button } from "#web/ui/button.tsx";
import { IconTile } from "#web/ui/icon-tile.tsx";
import type { IconName } from "#web/ui/icon.tsx";
import { frenchPhone } from "#web/ui/phone-format.ts";
import { Loading, Skeleton } from "#web/ui/state.tsx";
import { Text } from "#web/ui/text.tsx";
import profileStyles from "./profile.module.css";

export interface Contacts {
  email: string | null;
  phonenumber: string | null;
}

/** How the contacts of somebody are changed: one's own, or a child's. */
export interface ContactCalls {
  email: (email: string, proof: Proof) => Promise<Contacts>;
  phone: (phonenumber: string, proof: Proof) => Promise<Contacts>;
  /** Shows the new contacts wherever the former ones stood. */
  keep: (contacts: Contacts) => Promise<void>;
}

export interface RowProps {
  contacts: Contacts;
  calls: ContactCalls;
}

export interface FormProps {
  /** The contact of now, null when there is none. */
  known: string | null;
  calls: ContactCalls;
  /** The whole name of what the form does. */
  verb: string;
  onClose: () => void;
}

/** `Form` is shown once the row is opened. */
export const PhoneRow = ({
  contacts,
  calls,
  Form,
}: RowProps & { Form: ComponentType<FormProps> }) => (
  <ContactRow
    icon="phone"
    label="Téléphone"
    known={contacts.phonenumber}
    displayValue={contacts.phonenumber && frenchPhone(contacts.phonenumber)}
    calls={calls}
    none="Aucun téléphone"
    object="le téléphone"
    Form={Form}
  />
);

/** The phone alone. */
export const PhoneContact = (row: Parameters<typeof PhoneRow>[0]) => (
  <ul>
    <PhoneRow {...row} />
  </ul>
);

export function ContactRow({
  icon,
  label,
  known,
  displayValue = known,
  none,
  object,
  calls,
  Form,
}: Pick<FormProps, "known" | "calls"> & {
  icon: IconName;
  label: string;
  displayValue?: string | null;
  none: string;
  /** What the verb of the button is about. */
  object: string;
  Form: ComponentType<FormProps>;
}) {
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    requestAnimationFrame(() => opener.current?.focus());
  };
  const short = known ? "Modifier" : "Ajouter";
  const verb = `${short} ${object}`;
  return (
    <li className={profileStyles.contact}>
      <div className={profileStyles.contactShown}>
        <IconTile icon={icon} />
        <p className={profileStyles.contactText}>
          <Text as="span" tone="soft" size="fine">
            {label}
          </Text>
          <span className={profileStyles.contactValue}>{displayValue ?? none}</span>
        </p>
        {!open && (
          <Button
            ref={opener}
            size="small"
            aria-label={verb}
            aria-expanded={open}
            onClick={() => setOpen(true)}
          >
            {short}
          </Button>
        )}
      </div>
      {open && (
        <Suspense
          fallback={
            <Loading label="Chargement…">
              <Skeleton height="10rem" />
            </Loading>
          }
        >
          <Form known={known} calls={calls} verb={verb} onClose={close} />
        </Suspense>
      )}
    </li>
  );
}
