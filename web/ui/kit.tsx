// What the root of the application mounts once, around every screen, for the components to work.
import { CSPProvider } from "@base-ui/react/csp-provider";
import { type ComponentType, type ReactNode } from "react";
import "./tokens.css";
import "./base.css";
import { type AnchorProps, LinkProvider, PlainAnchor } from "./link.tsx";
import { ToastRegion } from "./toast.tsx";

/**
 * `link` renders links inside the portal (the router's own). The widget library's inline styles are
 * switched off: the content security policy refuses them and our style sheets replace them.
 */
export function Kit({
  link = PlainAnchor,
  children,
}: {
  link?: ComponentType<AnchorProps>;
  children: ReactNode;
}) {
  return (
    <CSPProvider disableStyleElements>
      <LinkProvider value={link}>
        {children}
        <ToastRegion />
      </LinkProvider>
    </CSPProvider>
  );
}
