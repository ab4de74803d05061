// A ticket or a pass as its holder presents it, on the paper of its exports: light in both themes, the motif of the
// card on its band, the code on white, and below the perforation what a controller reads.
import { type ReactNode, useMemo } from "react";
import { motifOf } from "#contract/motif.ts";
import "./inks.css";
import "./paper-ticket.css";

export interface PaperTicketProps {
  /** Whose motif is on the band. */
  cardnumber: number;
  /** A word on what it is: « Billet », « Titre de transport ». */
  kind: string;
  holder: string;
  code: ReactNode;
  /** When it is good for, the largest words. */
  when: ReactNode;
  /** Lines under it. */
  children: ReactNode;
}

export function PaperTicket({ cardnumber, kind, holder, code, when, children }: PaperTicketProps) {
  const motif = useMemo(() => motifOf(cardnumber, 6), [cardnumber]);
  return (
    <div className="paper-ticket" data-ink={motif.ink} data-theme="light">
      <div className="paper-ticket-top">
        <div className="paper-ticket-band">
          <svg viewBox="0 0 856 540" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
            {[...motif.ribbon, ...motif.rosette].map((curve) => (
              <path key={curve} d={curve} />
            ))}
          </svg>
          <p className="paper-ticket-brand">Ma carte</p>
          <p className="paper-ticket-kind">{kind}</p>
        </div>
        {code}
        <p className="paper-ticket-holder">{holder}</p>
      </div>
      <div className="paper-ticket-stub">
        <p className="paper-ticket-when">{when}</p>
        {children}
      </div>
    </div>
  );
}
