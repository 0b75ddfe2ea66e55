import { Line } from "./line";

const DEPTH = 4;

/** What a boat is tied to. */
export abstract class Berth {
  constructor(private readonly name: string) {}

  // How many lines it takes.
  lines(): number {
    return 2;
  }

  readonly free = () => true;
}

export interface Boat {
  length: number;
}

export namespace Tide {
  export function height(hour: number): number {
    return hour % 12;
  }
}

export const moor = async (berth: Berth): Promise<void> => {
  await Promise.resolve(berth);
};
