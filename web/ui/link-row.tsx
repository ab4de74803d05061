// A row that leads to a page of its own: a picture, a few words, an arrow.
import "./link-row.css";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { Link } from "./link.tsx";

export function LinkRow({
  href,
  picture,
  children,
}: {
  href: string;
  picture: ReactNode;
  children: ReactNode;
}) {
  return (
    <Link className="link-row" href={href}>
      {picture}
      <span className="link-row-body">{children}</span>
      <Icon name="right" size={20} />
    </Link>
  );
}
