// « Mes titres hors ligne »: on the page of a lost connection, the tickets that this browser kept.
import { useEffect, useState } from "react";
import type { Ticket } from "#contract/tickets.ts";
import { QrCode } from "#web/ui/qr.tsx";
import { keptTitles } from "./kept-titles.ts";
import "./offline-titles.css";
import { whenOf } from "./words.ts";

export function OfflineTitles() {
  const [titles, setTitles] = useState<Ticket[] | null>(null);
  useEffect(() => {
    void keptTitles().then(setTitles);
  }, []);
  return (
    <section className="offline-titles" aria-labelledby="offline-titles" aria-live="polite">
      <h2 id="offline-titles">Mes titres hors ligne</h2>
      {titles?.length === 0 && (
        <p>
          Aucun billet n’est gardé sur cet appareil. Ouvrez « E-billets » avec du réseau pour les y
          garder.
        </p>
      )}
      <ul>
        {titles?.map((ticket) => (
          <li key={ticket.id}>
            <details>
              <summary>
                <span>
                  <strong>{ticket.title}</strong>
                  <br />
                  {whenOf(ticket.startsAt)}, {ticket.holder}
                </span>
              </summary>
              {ticket.token && (
                <QrCode text={ticket.token} label={`Code du billet ${ticket.reference}`} />
              )}
              <p>
                {ticket.venue}, {ticket.category}, référence {ticket.reference}
              </p>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
