// Links that the router may take over. The kit knows no router: the application hands its own link
// element once, at the root, and every link of every component goes through it.
import { type AnchorHTMLAttributes, type ComponentType, createContext, use } from "react";

export type AnchorProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> & { href: string };

export const PlainAnchor = ({ children, ...rest }: AnchorProps) => <a {...rest}>{children}</a>;

const LinkElement = createContext<ComponentType<AnchorProps>>(PlainAnchor);

/** Names the element that renders links inside the portal, e.g. one built with the router's Link. */
export const LinkProvider = LinkElement.Provider;

const outside = /^(?:[a-z]+:|\/\/|\/api\/|#)/i;

/** A link. Addresses outside the portal, documents of the API and fragments stay plain anchors. */
export function Link(props: AnchorProps) {
  const Inside = use(LinkElement);
  const plain = outside.test(props.href) || props.download !== undefined || props.target;
  if (plain) return <PlainAnchor {...props} />;
  // oxlint-disable-next-line react/static-components -- handed once by the root, the same ever after
  return <Inside {...props} />;
}
