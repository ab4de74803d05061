// Buttons, and links that look like them. One primary button per screen: it wears the accent.
import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from "react";
import "./button.css";
import { Icon, type IconName } from "./icon.tsx";
import { type AnchorProps, Link } from "./link.tsx";

interface Look {
  /** `danger` is for what cannot be undone; `alert` is the specification's outlined red button. */
  kind?: "primary" | "secondary" | "ghost" | "danger" | "alert";
  size?: "small" | "normal";
  wide?: boolean;
  icon?: IconName;
  iconEnd?: IconName;
  children: ReactNode;
}

const Inner = ({ icon, iconEnd, children }: Pick<Look, "icon" | "iconEnd" | "children">) => (
  <>
    {icon && <Icon name={icon} size={20} />}
    <span>{children}</span>
    {iconEnd && <Icon name={iconEnd} size={20} />}
  </>
);

/**
 * A button. While `loading` it keeps its width and its focus, says so to assistive technology and
 * ignores clicks, so that a double click sends one request.
 */
export function Button({
  kind = "secondary",
  size = "normal",
  wide,
  icon,
  iconEnd,
  loading = false,
  children,
  onClick,
  type = "button",
  className = "",
  ...rest
}: Look & {
  loading?: boolean;
  ref?: Ref<HTMLButtonElement>;
} & ButtonHTMLAttributes<HTMLButtonElement>) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (loading) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <button
      {...rest}
      // oxlint-disable-next-line react/button-has-type -- the caller chooses among the three
      type={type}
      className={`button ${className}`}
      data-kind={kind}
      data-size={size}
      data-wide={wide || undefined}
      aria-busy={loading || undefined}
      aria-disabled={loading || undefined}
      onClick={press}
    >
      <Inner {...(icon && { icon })} {...(iconEnd && { iconEnd })}>
        {children}
      </Inner>
      {loading && <span className="button-wait" aria-hidden="true" />}
    </button>
  );
}

export function ButtonLink({
  kind = "secondary",
  size = "normal",
  wide,
  icon,
  iconEnd,
  children,
  className = "",
  ...rest
}: Look & AnchorProps) {
  return (
    <Link
      {...rest}
      className={`button ${className}`}
      data-kind={kind}
      data-size={size}
      data-wide={wide || undefined}
    >
      <Inner {...(icon && { icon })} {...(iconEnd && { iconEnd })}>
        {children}
      </Inner>
    </Link>
  );
}

/** A round button with an icon alone; its `label` is what assistive technology and the tip say. */
export function IconButton({
  icon,
  label,
  badge,
  type = "button",
  className = "",
  ...rest
}: { icon: IconName; label: string; badge?: number | undefined } & Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  "children"
>) {
  return (
    // oxlint-disable-next-line react/button-has-type -- the caller chooses among the three
    <button {...rest} type={type} className={`icon-button ${className}`} title={label}>
      <Icon name={icon} />
      <span className="unseen">{label} </span>
      {badge ? <span className="icon-button-badge">{badge > 99 ? "99+" : badge}</span> : null}
    </button>
  );
}
