// A QR code as one SVG path, always dark on light so that every reader takes it.
import { useMemo } from "react";
import { encodeQR } from "qr";
import "./qr.css";

/** `label` says what the code is for; `text` is what it holds. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => {
    const lines = encodeQR(text, "raw", { ecc: "medium", border: 2 });
    let drawn = "";
    for (const [y, line] of lines.entries()) {
      for (const [x, dark] of line.entries()) if (dark) drawn += `M${x} ${y}h1v1h-1z`;
    }
    return { path: drawn, size: lines.length };
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
