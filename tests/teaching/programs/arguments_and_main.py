# prints=epochs=2.*cpu
import argparse
import logging
import random
import sys
import torch
def main():
    parser = argparse.ArgumentParser(description="a training")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--no-cuda", action="store_true")
    args = parser.parse_args()
    logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(levelname)s %(message)s")
    random.seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() and not args.no_cuda else "cpu")
    logging.info("starting")
    model = torch.nn.Linear(2, 1).to(device)
    print(f"epochs={args.epochs} {device} {len(list(model.parameters()))}")
if __name__ == "__main__":
    main()
