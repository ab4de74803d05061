// Messages that stay in the page, and the small words that say a state. Never colour alone.
import type { ReactNode } from "react";
import "./banner.css";
import { Icon, type IconName } from "./icon.tsx";

export type Tone = "info" | "success" | "warning" | "danger";

const bringIntoView = (banner: HTMLElement | null) => banner?.scrollIntoView({ block: "nearest" });

/** `alert` only for what appears because of what the person just did: it is announced and brought into view. */
export function Banner({
  tone = "info",
  title,
  children,
  actions,
  alert = false,
}: {
  tone?: Tone;
  title?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  alert?: boolean;
}) {
  return (
    <div
      className="banner"
      data-tone={tone}
      role={alert ? "alert" : undefined}
      ref={alert ? bringIntoView : undefined}
    >
      <Icon name={tone} />
      <div className="banner-text">
        {title && <p className="banner-title">{title}</p>}
        {children && <div>{children}</div>}
      </div>
      {actions && <div className="banner-actions">{actions}</div>}
    </div>
  );
}

/**
 * Why an act was refused, said as it happens; nothing while nothing was. `title` says what is not done:
 * it is left out where the act may be done all the same.
 */
export const ProblemBanner = ({
  problem,
  title,
}: {
  problem: { message: string; isUnknown?: boolean } | null | undefined;
  title?: string | undefined;
}) =>
  problem &&
  (problem.isUnknown ? (
    <Banner tone="warning" alert title="Nous ne savons pas si c’est fait.">
      La réponse n’est pas arrivée. Vérifiez avant de recommencer.
    </Banner>
  ) : (
    <Banner tone="danger" alert title={title}>
      {problem.message}
    </Banner>
  ));

/** A state in a word: « crédité », « en attente ». */
export function Badge({
  tone = "neutral",
  icon,
  children,
}: {
  tone?: Tone | "neutral";
  icon?: IconName;
  children: ReactNode;
}) {
  return (
    <span className="badge" data-tone={tone}>
      {icon ? <Icon name={icon} size={16} /> : tone !== "neutral" && <Icon name={tone} size={16} />}
      {children}
    </span>
  );
}
