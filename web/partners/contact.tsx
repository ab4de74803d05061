// How a partner is reached: the address to copy or to open in the device's own maps, telephone, mail.
import { useState } from "react";
import type { PartnerSheet } from "#contract/partners/rows.ts";
import { Button, ButtonLink } from "#web/ui/button.tsx";
import { Icon } from "#web/ui/icon.tsx";
import { Section } from "#web/ui/layout.tsx";
import { frenchPhone } from "#web/ui/phone-format.ts";
import { Text } from "#web/ui/text.tsx";
import directoryStyles from "./directory.module.css";
import servicesStyles from "./services.module.css";

export function Contact({ partner }: { partner: PartnerSheet }) {
  const { name, street, postcode, town, position, phone, email, website } = partner;
  const address = `${street}, ${postcode} ${town}`;
  const { lat, lon } = position;
  return (
    <Section title="Y aller, le joindre">
      <address className={directoryStyles.address}>
        {street}
        <br />
        {postcode} {town}
      </address>
      <div className={servicesStyles.serviceActs}>
        <CopyAddress text={`${name}, ${address}`} />
        <ButtonLink
          className={directoryStyles.onlyTouch}
          icon="pin"
          href={`geo:${lat.toFixed(5)},${lon.toFixed(5)}?q=${encodeURIComponent(address)}`}
        >
          Itinéraire
        </ButtonLink>
      </div>
      {(phone ?? email ?? website) !== null && (
        <ul className={directoryStyles.reach}>
          {phone !== null && (
            <li>
              <Icon name="phone" size={20} />
              <a href={`tel:${phone}`}>{frenchPhone(phone)}</a>
            </li>
          )}
          {email !== null && (
            <li>
              <Icon name="mail" size={20} />
              <a href={`mailto:${email}`}>{email}</a>
            </li>
          )}
          {website !== null && (
            <li>
              <Icon name="external" size={20} />
              <a href={website} target="_blank" rel="noopener noreferrer">
                {new URL(website).host}
                <span className="unseen"> (nouvel onglet)</span>
              </a>
            </li>
          )}
        </ul>
      )}
    </Section>
  );
}

function CopyAddress({ text }: { text: string }) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Adresse copiée.");
    } catch {
      setSaid("Votre navigateur n’a pas pu copier l’adresse.");
    }
  };
  return (
    <>
      <Button icon="copy" onClick={() => void copy()}>
        Copier l’adresse
      </Button>
      <Text as="output" tone="soft" size="fine">
        {said}
      </Text>
    </>
  );
}
