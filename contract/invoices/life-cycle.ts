// Life-cycle states of an electronic invoice, as platforms report them (XP Z12-012).
export const lifeCycle = {
  200: "Déposée",
  201: "Émise par la plateforme",
  202: "Reçue par la plateforme",
  203: "Mise à disposition",
  204: "Prise en charge",
  205: "Approuvée",
  206: "Approuvée partiellement",
  207: "En litige",
  208: "Suspendue",
  209: "Complétée",
  210: "Refusée",
  211: "Paiement transmis",
  212: "Encaissée",
  213: "Rejetée",
} as const;
export type LifeCycleCode = keyof typeof lifeCycle;

/** States that require a reason. */
export const needsReason: ReadonlySet<number> = new Set([206, 207, 208, 210, 213]);
