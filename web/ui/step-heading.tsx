import type { ComponentProps } from "react";
import "./step-heading.css";

/** What a step begins with, and the end of a payment: it has the focus as it is shown, without a ring. */
export const StepHeading = ({ children, ...rest }: Omit<ComponentProps<"h2">, "className">) => (
  <h2 {...rest} className="step-heading">
    {children}
  </h2>
);
