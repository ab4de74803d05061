// The portal's diagnostic of itself: each check answers in words, and what to do when it fails.
import { api } from "#contract/api.ts";
import { formatCount } from "#contract/french.ts";
import { call } from "#web/app/transport/api.ts";
import { sealed } from "#web/app/transport/session.ts";
import { readHealth } from "./service-state.ts";

export interface Finding {
  state: "good" | "poor" | "bad";
  /** What was found, e.g. « Répond en 12 ms ». */
  found: string;
  /** What the person can do about it, when something can be done. */
  advice?: string;
}

export interface Check {
  name: string;
  run: () => Promise<Finding>;
}

/** Codes and payment pages expire by the server's clock: beyond this the device's misleads. */
const tolerableSkewMs = 30_000;
const slowMs = 1500;

async function service(): Promise<Finding> {
  const startedAt = performance.now();
  try {
    const { status } = await readHealth();
    const tookMs = performance.now() - startedAt;
    const found = `Répond en ${formatCount(Math.round(tookMs))} ms`;
    if (status !== "ok") {
      return { state: "poor", found: `${found}, mais perturbé`, advice: "Réessayez plus tard." };
    }
    if (tookMs <= slowMs) return { state: "good", found };
    return { state: "poor", found, advice: "Votre connexion est lente en ce moment." };
  } catch {
    return { state: "bad", found: "Ne répond pas", advice: "Vérifiez votre connexion à Internet." };
  }
}

async function session(): Promise<Finding> {
  try {
    const { endsAt } = await call(api.identity.session, {}, { quiet: true });
    const minutes = Math.max(0, Math.round((Date.parse(endsAt) - Date.now()) / 60_000));
    const left = minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
    return { state: "good", found: `Ouverte, encore ${left} au plus` };
  } catch (error) {
    return { state: "bad", found: "Non reconnue", advice: (error as Error).message };
  }
}

async function clock(): Promise<Finding> {
  const sentAt = Date.now();
  const { time } = await readHealth();
  const middle = (sentAt + Date.now()) / 2;
  const skewMs = middle - Date.parse(time);
  const seconds = formatCount(Math.round(Math.abs(skewMs) / 1000));
  if (Math.abs(skewMs) <= tolerableSkewMs) {
    return { state: "good", found: `À l’heure, à ${seconds} s près` };
  }
  return {
    state: "poor",
    found: `${skewMs > 0 ? "Avance" : "Retarde"} de ${seconds} s`,
    advice: "Réglez l’heure de l’appareil sur automatique.",
  };
}

async function worker(): Promise<Finding> {
  const registration = await navigator.serviceWorker?.getRegistration();
  if (!registration) {
    return {
      state: "poor",
      found: "Absent",
      advice: "Le portail ne s’ouvrira pas sans connexion.",
    };
  }
  if (registration.waiting) {
    return { state: "poor", found: "Nouvelle version prête", advice: "Rechargez la page." };
  }
  const controlled = navigator.serviceWorker.controller !== null;
  return {
    state: "good",
    found: controlled ? "Actif" : "Installé, actif à la prochaine ouverture",
  };
}

async function storage(): Promise<Finding> {
  if (!navigator.cookieEnabled) {
    return {
      state: "bad",
      found: "Cookies refusés",
      advice: "Autorisez les cookies de ce site pour rester connecté.",
    };
  }
  if (await sealed.durable()) return { state: "good", found: "Chiffré sur cet appareil" };
  return {
    state: "poor",
    found: "En mémoire seulement",
    advice: "C’est l’usage en navigation privée : tout s’efface avec l’onglet.",
  };
}

async function protection(): Promise<Finding> {
  if (isSecureContext) return { state: "good", found: "Protégée" };
  return {
    state: "bad",
    found: "Non protégée (HTTP)",
    advice: "Ouvrez le portail par son adresse en https.",
  };
}

async function version(): Promise<Finding> {
  const { version: served } = await call(api.portal.settings, {}, { quiet: true });
  return { state: "good", found: served };
}

export const checks: readonly Check[] = [
  { name: "Service", run: service },
  { name: "Session", run: session },
  { name: "Horloge de l’appareil", run: clock },
  { name: "Ouverture hors connexion", run: worker },
  { name: "Stockage de l’appareil", run: storage },
  { name: "Adresse du portail", run: protection },
  { name: "Version", run: version },
];
