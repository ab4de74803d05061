// The demo scheme as the login page offers it; nothing loads this file outside demo mode.

/** Password of everyone in the demo scheme. */
export const demoPassword = "demo-ma-carte-2026";

/** Cards with which the portal can be tried. */
export const demoCards = [
  { cardnumber: 1000000016, who: "Camille, titulaire et parent" },
  { cardnumber: 1000000040, who: "Nadia, première connexion" },
  { cardnumber: 2000000014, who: "Les Tables du Lagon, pro" },
] as const;

/** Where the messages that nobody receives can be read. */
export const demoMessagesPath = "/demo/messages";
