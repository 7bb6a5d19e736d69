// Small wooden sounds, made on the spot; silent until switched on.

import { settings } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

const VOICES = {
  sow: { pitch: 620, length: 0.05, loud: 0.12 },
  store: { pitch: 420, length: 0.12, loud: 0.16 },
  capture: { pitch: 260, length: 0.2, loud: 0.18 },
  step: { pitch: 330, length: 0.08, loud: 0.14 },
  end: { pitch: 520, length: 0.5, loud: 0.14 },
};

/** @param {keyof typeof VOICES} kind */
export function tick(kind) {
  if (!settings.sound) return;
  context ??= new AudioContext();
  const { pitch, length, loud } = VOICES[kind];
  const now = context.currentTime;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.type = "triangle";
  tone.frequency.setValueAtTime(pitch * (0.96 + Math.random() * 0.08), now);
  tone.frequency.exponentialRampToValueAtTime(pitch * 0.6, now + length);
  volume.gain.setValueAtTime(loud, now);
  volume.gain.exponentialRampToValueAtTime(0.0005, now + length);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + length + 0.02);
}
