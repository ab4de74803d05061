import "./code-wait.css";
import { Skeleton } from "./state.tsx";

/** The place of a code that is presented (presented-code.tsx), of the same size. */
export const CodeWait = () => (
  <div className="code-wait">
    <Skeleton height="100%" />
  </div>
);
