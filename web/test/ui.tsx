// Every component of the kit, in both themes: for the eye, and for the accessibility tests.
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { loadFont } from "#web/ui/font.ts";
import { Kit } from "#web/ui/kit.tsx";
import { Framed, Gallery } from "./gallery.tsx";

void loadFont();
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <Kit>{new URLSearchParams(location.search).has("cadre") ? <Framed /> : <Gallery />}</Kit>
    </StrictMode>,
  );
}
