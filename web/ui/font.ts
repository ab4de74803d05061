// The font of the portal and of the login. What is drawn before it comes is drawn in a fallback of nearly the same
// measures (base.css): a line at the edge of its width may break elsewhere once the font is there.
import figtree from "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url";

let loading: Promise<void> | undefined;

/** Asks for the font once; ends when it is there, or is not to be had. */
export const loadFont = (): Promise<void> => (loading ??= load());

async function load(): Promise<void> {
  try {
    const face = new FontFace("Figtree", `url(${figtree})`, { weight: "300 900" });
    document.fonts.add(await face.load());
  } catch {
    // Without the network the fallback stays: the page loses its voice, not its words.
  }
}
