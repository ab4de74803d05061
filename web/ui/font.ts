// The font comes after the first paint: the page is readable before it, in a fallback of the same
// measures (base.css), and nothing moves when it arrives.
import figtree from "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url";

export async function loadFont(): Promise<void> {
  try {
    const face = new FontFace("Figtree", `url(${figtree})`, { weight: "300 900" });
    document.fonts.add(await face.load());
  } catch {
    // Without the network the fallback stays: the page loses its voice, not its words.
  }
}
