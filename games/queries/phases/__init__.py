"""One phase: what it holds, when it is due, and what it leaves behind."""
