// The pieces that screens are laid out with, so that thirty screens have one rhythm.
import { createContext, type ReactNode, type Ref, useState } from "react";
import "./layout.css";
import { IconTile } from "./icon-tile.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { Link } from "./link.tsx";
import { useTitlePart } from "./page-title.ts";

/** The top of a screen: where one is, the way back (or its place, `"later"`), the one main action. */
export function PageHeader({
  title,
  lead,
  back,
  actions,
}: {
  title: string;
  lead?: ReactNode;
  back?: { href: string; label: string } | "later";
  actions?: ReactNode;
}) {
  useTitlePart(title);
  return (
    <header className="page-header">
      {back === "later" && <div className="page-back">{"\u00a0"}</div>}
      {typeof back === "object" && (
        <Link className="page-back" href={back.href}>
          <Icon name="back" size={20} /> {back.label}
        </Link>
      )}
      <div className="page-title">
        <div>
          <h1>{title}</h1>
          {lead && <p className="page-lead">{lead}</p>}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </div>
    </header>
  );
}

/** The frame of a screen; `narrow` for forms and texts that are read from top to bottom. */
export function Page({
  narrow = false,
  dense = false,
  place,
  children,
}: {
  narrow?: boolean;
  /** For a screen that is worked at all day: less air around its parts on a phone. */
  dense?: boolean;
  /** From a hook of focus.ts. */
  place?: Ref<HTMLDivElement>;
  children: ReactNode;
}) {
  const [foot, setFoot] = useState<HTMLElement | null>(null);
  return (
    <PageFoot value={foot}>
      <div
        ref={place}
        className="page"
        data-narrow={narrow || undefined}
        data-dense={dense || undefined}
      >
        {children}
      </div>
      <div ref={setFoot} className="page-foot" />
    </PageFoot>
  );
}

/** The element after a page's content, where its foot bar stands. */
export const PageFoot = createContext<HTMLElement | null>(null);

/** A surface with a heading. */
export function Section({
  title,
  action,
  children,
  plain = false,
}: {
  title?: string;
  action?: ReactNode;
  children: ReactNode;
  /** Without the surface: for what has its own, like a card. */
  plain?: boolean;
}) {
  return (
    <section className="section" data-plain={plain || undefined}>
      {(title || action) && (
        <header className="section-head">
          {title && <h2>{title}</h2>}
          {action}
        </header>
      )}
      {children}
    </section>
  );
}

/** A main part and a side part, side by side from 1024 px, the main part first. */
export function Sides({ main, side }: { main: ReactNode; side: ReactNode }) {
  return (
    <div className="sides">
      <div>{main}</div>
      <div>{side}</div>
    </div>
  );
}

/** Labels with what they say; `null` entries are skipped. */
export function DefinitionList({
  items,
}: {
  items: readonly ({ label: string; value: ReactNode; action?: ReactNode } | null)[];
}) {
  return (
    <dl>
      {items.map(
        (item, place) =>
          item && (
            // oxlint-disable-next-line react/no-array-index-key -- two refunds of one minute bear the same label
            <div key={`${place} ${item.label}`} className="definition">
              <dt>{item.label}</dt>
              <dd>
                <span className="definition-value">{item.value}</span>
                {item.action}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** A list of links or actions with an icon, a title and a line of explanation. */
export function ActionLink({
  href,
  icon,
  title,
  children,
}: {
  href: string;
  icon: IconName;
  title: string;
  children?: ReactNode;
}) {
  return (
    <Link className="action-link" href={href}>
      <IconTile icon={icon} />
      <span className="action-text">
        <span className="action-title">{title}</span>
        {children && <span className="action-lead">{children}</span>}
      </span>
      <Icon name="right" size={20} />
    </Link>
  );
}
