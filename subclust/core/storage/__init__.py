"""What lies on disks and in object storage: written whole, made again, or refused in a sentence."""

from subclust.core.storage.object_storage import StoragePath, storage_path

__all__ = ["StoragePath", "storage_path"]
