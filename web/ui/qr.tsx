// A QR code as one SVG path, always dark on light so that every reader takes it.
import { useMemo } from "react";
import { encode } from "uqr";
import "./qr.css";

/** `label` says what the code is for; `text` is what it holds. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => {
    const code = encode(text, { ecc: "M", border: 2 });
    let drawn = "";
    for (const [y, line] of code.data.entries()) {
      for (const [x, dark] of line.entries()) if (dark) drawn += `M${x} ${y}h1v1h-1z`;
    }
    return { path: drawn, size: code.size };
  }, [text]);
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
