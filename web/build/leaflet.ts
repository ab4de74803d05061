// Leaflet finds out as it is loaded whether the browser draws SVG, by writing HTML: the security policy of our pages
// refuses that, and every browser that we build for draws SVG.
import type { Plugin } from "vite";

const probe = "div.innerHTML = '<svg/>';";
const answer = "div.append(svgCreate('svg'));";

export function withoutHtmlProbe(): Plugin {
  return {
    name: "ma-carte-leaflet",
    transform: {
      filter: { id: /\/leaflet\/src\/core\/Browser\.js$/ },
      handler(code) {
        if (!code.includes(probe) || !code.includes("import {svgCreate}"))
          throw new Error(
            "Leaflet asks in another way whether the browser draws SVG: see web/build/leaflet.ts",
          );
        return { code: code.replace(probe, answer), map: null };
      },
    },
  };
}
