import type { ReactNode } from "react";
import "./button-group.css";

/** Buttons about one thing, joined; a Menu without text may end them, for what is done less often. */
export function ButtonGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <fieldset className="button-group">
      <legend className="unseen">{label}</legend>
      {children}
    </fieldset>
  );
}
