"""
`python -m dsh_conformance`.
"""

from dsh_conformance.cli import main

if __name__ == "__main__":
    main(prog_name="dsh-conformance")
