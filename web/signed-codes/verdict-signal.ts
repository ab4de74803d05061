// The sound of a verdict at a counter, made here, and a vibration where there is one.
import type { VerdictTone } from "#web/ui/verdict.tsx";

/** Frequency in Hz and length in seconds, one after the other. */
const melodies: Readonly<Record<VerdictTone, readonly (readonly [number, number])[]>> = {
  success: [
    [880, 0.08],
    [1320, 0.12],
  ],
  warning: [
    [520, 0.12],
    [520, 0.12],
  ],
  danger: [[180, 0.45]],
};
const vibrations: Readonly<Record<VerdictTone, number[]>> = {
  success: [60],
  warning: [60, 60, 60],
  danger: [400],
};

let sound: AudioContext | null = null;

/** Says a verdict to the ear and the hand, once the eye has it: the first sound takes time to open. */
export function signal(tone: VerdictTone): void {
  setTimeout(() => sayTone(tone));
}

/** A browser that refuses either stays silent. */
function sayTone(tone: VerdictTone): void {
  navigator.vibrate?.(vibrations[tone]);
  try {
    sound ??= new AudioContext();
    play(sound, melodies[tone]);
  } catch {
    // No sound here: colour and words say the same.
  }
}

function play(context: AudioContext, melody: readonly (readonly [number, number])[]): void {
  void context.resume().catch(() => {});
  let at = context.currentTime;
  for (const [frequency, seconds] of melody) {
    const oscillator = context.createOscillator();
    const gain = context.createGain();
    gain.gain.value = 0.2;
    oscillator.frequency.value = frequency;
    oscillator.connect(gain).connect(context.destination);
    oscillator.start(at);
    oscillator.stop(at + seconds);
    at += seconds + 0.05;
  }
}
